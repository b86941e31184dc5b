import type { MainAgent } from '../agent/MainAgent';
import type { Command } from '../wire/command';

/** A `models` command: shows the pools, or sets the one of the main roles. */
export function models(agent: MainAgent, command: Command): void {
  const { runtime, slash, turns } = agent;
  const answer = (ok: boolean, more: object) => runtime.out.reply('models_response', { ok, ...more });
  switch (command.action.trim()) {
    case '':
    case 'status':
      answer(true, { status: runtime.pools.text() });
      return;
    case 'set_current_model_pool': {
      const pool = command.pool.trim();
      if (!pool) {
        answer(false, { message: 'models set_current_model_pool requires pool' });
        return;
      }
      // It says that it worked, with the status before, and only then tries (measured).
      answer(true, { message: 'model pool set', status: runtime.pools.text() });
      slash.setPool(pool);
      if (!turns.busy) turns.settle();
      return;
    }
    default:
      answer(false, { message: `unsupported models action: ${command.action}` });
  }
}
