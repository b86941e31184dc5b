/** Lets everything run that waits for promises or for finished input and output, without waiting for time. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
