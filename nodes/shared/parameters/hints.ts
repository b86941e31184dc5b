import type { NodeHint } from 'n8n-workflow';

/** Shown when several items reach a node whose request somebody has to decide. */
export const loopHint: NodeHint = {
  type: 'info',
  message:
    "n8n's approval steps ask once a run, for the first item only. For several items, put <b>Loop Over Items</b> with batch size 1 before this node, so that each one is asked for.",
  displayCondition: '={{ $input.all().length > 1 }}',
  whenToDisplay: 'always',
  location: 'outputPane',
};

/** Mail scanners open links: an approve link that acts when it is opened decides without a person. */
export const formHint: NodeHint = {
  type: 'info',
  message:
    'To ask a person, use a send-and-wait step with response type <b>Custom Form</b>, defined <b>Using JSON</b> as <code>{{ $json.request.form }}</code>. Approve buttons act as soon as a link is opened, and mail scanners open links.',
  displayCondition: '={{ $input.all().length > 0 }}',
  whenToDisplay: 'afterExecution',
  location: 'outputPane',
};

/** A waiting execution holds one of n8n's slots: under a limit the workflow that should answer may never start. */
export const concurrencyHint: NodeHint = {
  type: 'warning',
  message:
    'If this n8n limits how many executions run at once, a node that waits for a decision can block the workflow that should give it. Then use <b>Do Not Wait</b> and let a Chord Trigger tell when the work is finished.',
  displayCondition: '={{ $parameter["waitFor"] !== "nothing" }}',
  whenToDisplay: 'beforeExecution',
  location: 'ndv',
};
