/** The five texts of an item for people. What Chord said stands in all of them; they differ by the place they are for. */
export interface Texts {
  /** One plain line, at most 200 characters, no part of it markup: for subjects and lists. */
  summary: string;
  /** Ready for a chat, at most 2,500 characters, no part of it markup; what could be read as such stands as `\u{3c}`. */
  message: string;
  /** The whole as HTML, with nothing of it read as markup: for mail bodies, form descriptions and Teams. */
  html: string;
  /** For messengers, at most 2,500 characters: code in a block, the rest without any markup; says how much was cut. */
  chat: string;
  /** The whole, raw, as Chord said it: for programs. Where markup is read it can run as a script or hide its parts. */
  text: string;
}
