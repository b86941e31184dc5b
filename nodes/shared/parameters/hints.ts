import type { NodeHint } from 'n8n-workflow';

/** Shown when several items reach a node whose request somebody has to decide. */
export const loopHint: NodeHint = {
  type: 'info',
  message:
    "n8n's approval steps ask only once per run, for the first item. If there are several items, put <b>Loop Over Items</b> with batch size 1 before this node, so that each item is asked about.",
  displayCondition: '={{ $input.all().length > 1 }}',
  whenToDisplay: 'always',
  location: 'outputPane',
};

/** Mail scanners open links: an approve link that acts when it is opened decides without a person. */
export const formHint: NodeHint = {
  type: 'info',
  message:
    'To ask a person, use a send-and-wait step with response type <b>Custom Form</b>, defined <b>Using JSON</b> as <code>{{ $json.request.form }}</code>. Approve buttons take effect as soon as their link is opened, and mail scanners open links.',
  displayCondition: '={{ $input.all().length > 0 }}',
  whenToDisplay: 'afterExecution',
  location: 'outputPane',
};

/** A waiting execution holds one of n8n's slots: under a limit the workflow that should answer may never start. */
export const concurrencyHint: NodeHint = {
  type: 'warning',
  message:
    'If this n8n limits how many executions run at the same time, a node that waits for a decision can block the workflow that should make it. In that case, choose <b>Do Not Wait</b> and let a Chord Trigger report when the work is finished.',
  displayCondition: '={{ $parameter["waitFor"] !== "nothing" }}',
  whenToDisplay: 'beforeExecution',
  location: 'ndv',
};
