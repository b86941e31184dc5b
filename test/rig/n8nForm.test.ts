import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { openForm, submitForm } from '../../rig/n8nForm';

/** The parts of n8n's form page that matter, as its template writes them. */
const PAGE = `<!DOCTYPE html><html><head><title>Chord asks</title></head><body><form>
<div class='form-group'><label class='form-label form-required' for='field-0'>Decision</label>
  <select id='field-0' name='field-0'><option value='' disabled selected>Select an option ...</option>
  <option value='Allow'>Allow</option><option value='Deny &amp; stop'>Deny &amp; stop</option></select></div>
<div><label class='form-label '>Answer</label><div class='multiselect' id='field-1'>
  <div class='multiselect-option'><input type='checkbox' id='option0_field-1' value='A' /><label for='option0_field-1'>A</label></div>
  <div class='multiselect-option'><input type='checkbox' id='option1_field-1' value='B, C' /><label for='option1_field-1'>B, C</label></div></div></div>
<div class='form-group'><label class='form-label ' for='field-2'>Reason</label><textarea id='field-2' name='field-2'></textarea></div>
<div class='form-group'><label class='form-label ' for='field-3'>Command</label><textarea id='field-3' name='field-3'>
a &lt; &quot;b&quot;
c </textarea></div>
</form></body></html>`;

describe('a form of n8n, filled without a browser', () => {
  let server: Server;
  let url: string;
  let answers: { status: number; body: string }[];
  let seen: { method?: string; body: string }[];
  beforeEach(async () => {
    seen = [];
    answers = [];
    server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let sent = '';
    for await (const part of request.setEncoding('utf8')) sent += String(part);
    seen.push({ method: request.method, body: sent });
    const { status, body } = answers.shift() ?? { status: 200, body: PAGE };
    response.writeHead(status, { 'content-type': 'text/html' }).end(body);
  };

  test('is read with labels and choices', async () => {
    const form = await openForm(url);
    expect(form.title).toBe('Chord asks');
    expect(form.fields).toEqual([
      { name: 'field-0', label: 'Decision', choices: ['Allow', 'Deny & stop'] },
      { name: 'field-1', label: 'Answer', choices: ['A', 'B, C'] },
      { name: 'field-2', label: 'Reason', choices: [] },
      { name: 'field-3', label: 'Command', choices: [], value: 'a < "b"\nc ' },
    ]);
  });

  test('is sent under the names of the fields, several choices as a list', async () => {
    await submitForm(await openForm(url), { Decision: 'Allow', Answer: ['A', 'B, C'] });
    const { method, body } = seen[1] ?? {};
    expect(method).toBe('POST');
    expect(body).toMatch(/name="field-0"\s+Allow/);
    expect(body).toMatch(/name="field-1"\s+\["A","B, C"\]/);
    expect(body).toMatch(/name="field-2"\s+--/);
    expect(body).toContain('name="field-3"\r\n\r\na < "b"\r\nc \r\n--');
  });

  test('is asked for again while n8n still stores the waiting execution', async () => {
    answers = [{ status: 409, body: 'running already' }];
    expect((await openForm(url)).fields).toHaveLength(4);
    expect(seen).toHaveLength(2);
  });

  test('refuses a label that the form does not have, and tells an error of n8n', async () => {
    const form = await openForm(url);
    await expect(submitForm(form, { Verdict: 'Allow' })).rejects.toThrow(
      'no Verdict; it has Decision, Answer, Reason',
    );
    answers = [{ status: 500, body: 'broken' }];
    await expect(submitForm(form, {})).rejects.toThrow(/500: broken/);
  });
});
