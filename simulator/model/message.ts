/** A tool call as the model wrote it; `arguments` is JSON as text, perhaps broken. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** One entry of a conversation, in the shape that a chat-completions model sees. */
export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  toolCalls?: ToolCall[];
  toolCallId?: string;
}
