import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import 'reflect-metadata';

/**
 * What n8n-core reads when it is first required, so this file has to be imported before it: a user folder of its own,
 * the expression engine that needs no compiled module, and no log of the errors that tests provoke.
 */
process.env.N8N_USER_FOLDER = mkdtempSync(path.join(tmpdir(), 'n8n-core-'));
process.env.N8N_EXPRESSION_ENGINE = 'legacy';
process.env.N8N_LOG_LEVEL = 'silent';
