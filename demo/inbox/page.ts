/** The page of the demo inbox: a list of mails on the left, one mail on the right, renewed when a mail arrives. */
export const INBOX_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Demo inbox</title>
<style>
  :root { color-scheme: light dark; --back: #f5f6f8; --card: #fff; --ink: #1c2230; --soft: #667085; --line: #e2e5ea; --mark: #6d4aff; --tint: #efebff; }
  @media (prefers-color-scheme: dark) { :root { --back: #14161b; --card: #1d2027; --ink: #e8eaf0; --soft: #98a1b3; --line: #2c313b; --mark: #a18bff; --tint: #2a2545; } }
  * { box-sizing: border-box; }
  body { margin: 0; height: 100vh; display: grid; grid-template: auto 1fr / minmax(15rem, 24rem) 1fr; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
  header { grid-column: 1 / -1; display: flex; gap: .75rem; align-items: baseline; padding: .9rem 1.25rem; background: var(--card); border-bottom: 1px solid var(--line); }
  header h1 { margin: 0; font-size: 1.1rem; }
  header p { margin: 0; color: var(--soft); font-size: .9rem; }
  header a { color: var(--mark); }
  nav { overflow: auto; border-right: 1px solid var(--line); background: var(--card); }
  nav button { display: block; width: 100%; padding: .8rem 1.25rem; border: 0; border-bottom: 1px solid var(--line); border-left: 3px solid transparent; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer; }
  nav button:hover, nav button[aria-current=true] { background: var(--tint); }
  nav button[aria-current=true] { border-left-color: var(--mark); }
  nav button.new strong::before { content: ''; display: inline-block; width: .5rem; height: .5rem; margin-right: .5rem; border-radius: 50%; background: var(--mark); vertical-align: .1em; }
  nav strong, nav small { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  nav small { color: var(--soft); }
  main { display: flex; flex-direction: column; min-width: 0; padding: 1.25rem; gap: 1rem; }
  main h2 { margin: 0; font-size: 1.25rem; overflow-wrap: anywhere; }
  main p { margin: 0; color: var(--soft); }
  iframe { flex: 1; width: 100%; border: 1px solid var(--line); border-radius: 10px; background: #fff; }
  .empty { margin: auto; text-align: center; }
  @media (max-width: 700px) { body { grid-template: auto 35% 1fr / 1fr; } nav { border-right: 0; border-bottom: 1px solid var(--line); } }
</style>
<header><h1>Demo inbox</h1><p id="hint"></p></header>
<nav id="list" aria-label="Mails"></nav>
<main id="mail" aria-live="polite"></main>
<script>
  const list = document.getElementById('list'), mail = document.getElementById('mail');
  const read = new Set();
  let mails = [], open;
  const element = (name, text, more = {}) => Object.assign(document.createElement(name), { textContent: text }, more);
  const clock = (at) => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });

  function show(id) {
    open = id;
    read.add(id);
    const one = mails.find((each) => each.id === id);
    const frame = element('iframe', '', { src: 'mail/' + id, title: one.subject });
    frame.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
    mail.replaceChildren(element('h2', one.subject), element('p', one.from + ' to ' + one.to + ', ' + clock(one.receivedAt)), frame);
    drawList();
  }

  function drawList() {
    list.replaceChildren(...mails.map((one) => {
      const button = element('button', '', { onclick: () => show(one.id), className: read.has(one.id) ? '' : 'new' });
      if (one.id === open) button.setAttribute('aria-current', 'true');
      button.append(element('strong', one.subject || '(no subject)'), element('small', clock(one.receivedAt) + '  ' + one.from));
      return button;
    }));
    const unread = mails.filter((one) => !read.has(one.id)).length;
    document.title = (unread ? '(' + unread + ') ' : '') + 'Demo inbox';
    if (open === undefined) {
      mail.replaceChildren(element('p', mails.length ? 'Choose a mail.' : 'No mail yet. New mail appears here automatically.', { className: 'empty' }));
    }
  }

  async function renew() {
    const answer = await (await fetch('mails.json')).json();
    mails = answer.mails.reverse();
    document.getElementById('hint').replaceChildren(
      'Every mail that n8n sends arrives here and goes nowhere else. ',
      element('a', 'Give the agent a task', { href: answer.taskForm, target: '_blank', rel: 'noopener' }),
    );
    drawList();
  }

  new EventSource('events').onmessage = renew;
  renew();
</script>
</html>
`;
