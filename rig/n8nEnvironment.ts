import type { N8nRelease } from './n8nReleases';

/** What one n8n server needs to live beside others and to bother nobody. */
export interface N8nPlace {
  /** n8n keeps everything in the folder `.n8n` below it. */
  userFolder: string;
  port: number;
  /** n8n's task broker listens too, on a fixed port unless told otherwise. */
  brokerPort: number;
}

/**
 * The environment of a throw-away n8n: the variables that every program needs, none of the caller's own n8n or
 * Chord settings, nothing that calls home, and addresses on 127.0.0.1 only.
 */
export function n8nEnvironment(
  release: N8nRelease,
  place: N8nPlace,
  extra: Record<string, string> = {},
): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name, value]) =>
      value !== undefined && !/^(N8N_|DB_|QUEUE_|WEBHOOK_|EXECUTIONS_|CHORD_|NODE_|npm_|JEST_)/i.test(name),
  ) as [string, string][];
  return {
    ...Object.fromEntries(inherited),
    N8N_USER_FOLDER: place.userFolder,
    N8N_PORT: String(place.port),
    N8N_RUNNERS_BROKER_PORT: String(place.brokerPort),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_HOST: '127.0.0.1',
    WEBHOOK_URL: `http://127.0.0.1:${place.port}/`,
    N8N_EDITOR_BASE_URL: `http://127.0.0.1:${place.port}/`,
    // A password cookie over plain HTTP.
    N8N_SECURE_COOKIE: 'false',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    // The list of checked community packages, another thing that it would ask n8n's servers for.
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
    N8N_RUNNERS_ENABLED: 'true',
    N8N_LOG_LEVEL: 'info',
    N8N_LOG_FORMAT: 'text',
    NO_COLOR: '1',
    ...release.environment,
    ...extra,
  };
}
