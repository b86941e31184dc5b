import type { Message } from '../model/message';

/** What a scenario step can be matched on: a model request reduced to a handful of texts. */
export interface View {
  /** The 1-based number of this model request. */
  nth: number;
  tools: string[];
  last_user?: string;
  last_user_raw?: string;
  last_tool?: string;
  tail: string;
  any: string;
  system?: string;
  last_role?: string;
  tool_choice: string;
}

/** User messages that the runtime wrote, not a person. */
const RUNTIME_BLOCK = /^\s*(<system-reminder>|<env>|# AGENTS\.md instructions)/;

/** Reduces a request, by the same rules as the scripted model server of the lab. */
export function viewOf(messages: Message[], tools: string[], toolChoice: string, nth: number): View {
  const lastAssistant = messages.findLastIndex((message) => message.role === 'assistant');
  const tail = messages.slice(lastAssistant + 1).filter((message) => message.role !== 'system');
  const users = messages.filter((message) => message.role === 'user');
  return {
    nth,
    tools,
    last_user: users.findLast((message) => !RUNTIME_BLOCK.test(message.content))?.content,
    last_user_raw: users.at(-1)?.content,
    last_tool: tail.findLast((message) => message.role === 'tool')?.content,
    tail: tail.map((message) => message.content).join('\n----\n'),
    any: messages
      .filter((message) => message.role !== 'system')
      .map((message) =>
        [message.content, ...(message.toolCalls ?? []).map((call) => `${call.name} ${call.arguments}`)].join(
          '\n',
        ),
      )
      .join('\n----\n'),
    system: messages.find((message) => message.role === 'system')?.content,
    last_role: messages.at(-1)?.role,
    tool_choice: toolChoice,
  };
}
