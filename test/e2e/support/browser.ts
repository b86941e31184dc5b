import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { chromium, type Browser, type Page } from 'playwright-core';

import type { N8nClient } from '../../../rig/N8nClient';
import { projectRoot } from '../../../rig/projectRoot';
import { closedAtEnd } from './leftovers';
import { sharedServer } from './sharedServer';

/** It shall look at our pages, and at nothing else. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Pictures for a person to look at after the run. */
const SCREENSHOTS = path.join(projectRoot, '.cache', 'screenshots');

/** A page in a browser of its own. */
export interface Editor {
  page: Page;
  close(): Promise<void>;
}

/** Starts the Chromium of this run. */
async function openBrowser(): Promise<Browser> {
  const { executable, environment } = sharedServer().chromium;
  await mkdir(SCREENSHOTS, { recursive: true });
  // Chromium's sandbox does not work for root, nor without a helper that only an installed Chromium has.
  const sandbox = process.getuid?.() === 0 || Object.keys(environment).length > 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath: executable,
    args: [...QUIET, ...sandbox],
    env: { ...(process.env as Record<string, string>), ...environment },
  });
}

/** Opens an empty window, in which nobody is logged in: of a person who gets mails. */
export async function openPage(): Promise<Editor> {
  const browser = await openBrowser();
  const close = closedAtEnd(() => browser.close());
  return { page: await browser.newPage({ viewport: { width: 900, height: 1200 } }), close };
}

/** Opens a window in which n8n's owner types e-mail address and password, as a person does. */
export async function openEditor(client: N8nClient): Promise<Editor> {
  const browser = await openBrowser();
  const close = closedAtEnd(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.goto(client.url);
  await page.locator('input[type=email], input[name=emailOrLdapLoginId]').fill(client.owner.email);
  await page.locator('input[type=password]').fill(client.owner.password);
  await page.locator('[data-test-id=form-submit-button]').click();
  await page.waitForURL((url) => !url.pathname.includes('signin'));
  return { page, close };
}

/** Keeps a picture of the page. */
export function screenshot(page: Page, name: string): Promise<Buffer> {
  return page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
}
