import type { Runtime } from './runtime';
import type { Acting } from './acting';
import { MAIN_ID } from './Telling';
import { commonTools } from '../tools/common';
import { ToolFailure } from '../tools/FileTools';
import type { Tool } from '../tools/call';
import { questionsOf } from '../requests/questions';
import { finishDone } from './done';

/** What a batch of calls leaves to be done after its last call. */
export interface AfterBatch {
  /** The call whose result comes later. */
  deferred?: string;
  /** Ends or continues the turn. Gives whether another request follows. */
  next?: (signal: AbortSignal) => boolean | Promise<boolean>;
}

interface Todo {
  id: string;
  content: string;
  status: string;
  active_form?: string;
}

function todosOf(args: Record<string, unknown>): Todo[] {
  const list = Array.isArray(args.todos) ? (args.todos as Todo[]) : [];
  if (list.length === 0) throw new ToolFailure('todos must not be empty');
  return list.map(({ id, content, status, active_form }) => ({
    id,
    content,
    status,
    ...(active_form ? { active_form } : {}),
  }));
}

/** The tools of the main agent, for one batch of calls. */
export function mainToolTable(runtime: Runtime, agent: Acting, after: AfterBatch): Record<string, Tool> {
  return {
    ...commonTools(runtime.place.project, agent.files),
    spawn: (args) => agent.jobs.start(args),
    spawn_status: (args) => agent.jobs.status(String(args.id ?? '')),
    spawn_stop: (args) => agent.jobs.stop(String(args.id ?? '')),
    delegate: (args) => agent.subAgents.start(args),
    cancel: () => {
      agent.subAgents.stopAll();
      return 'Cancelled';
    },
    notify: () => 'Notified.',
    todo_write: (args) => {
      const todos = todosOf(args);
      agent.openTodos = todos.filter(
        (todo) => todo.status === 'pending' || todo.status === 'in_progress',
      ).length;
      runtime.out.push('todos', { todos });
      return 'Todos updated';
    },
    question: async (args, _call, signal) => {
      const asker = { agentId: '', taskId: MAIN_ID, signal };
      const result = await runtime.questions.ask(questionsOf(args), asker);
      if (result.end === 'cancelled') return 'Cancelled';
      if (result.end === 'parked') after.next = () => false;
      return result.text;
    },
    image: (args, call) => runtime.images.make(args, call.id),
    handoff: (args, call) => {
      const plan = agent.files.plan(args.plan_path);
      after.deferred = call.id;
      after.next = () => {
        runtime.handoffs.request(plan, call.id, agent.role);
        return false;
      };
      return '';
    },
    done: (args, call) => {
      after.deferred = call.id;
      after.next = (signal) => finishDone(runtime, agent, call, String(args.report ?? '').trim(), signal);
      return '';
    },
  };
}
