import type { SecretMask } from '../../process/SecretMask';

/** The same object, whose failed calls reveal no secrets: an error may contain a setting or an argument. */
export function maskErrors<Target extends object>(target: Target, secrets: SecretMask): Target {
  if (secrets.isEmpty) return target;
  const masked = (error: unknown): never => {
    throw secrets.maskError(error);
  };
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name, object);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, object, args);
        return result instanceof Promise ? result.catch(masked) : result;
      };
    },
  });
}
