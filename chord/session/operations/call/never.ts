/**
 * Never settles. A new one each time: whatever races with one that lives on is held by it for ever, with what it came
 * to.
 */
export const never = (): Promise<never> => new Promise<never>(() => undefined);
