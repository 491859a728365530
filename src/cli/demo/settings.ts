/**
 * Settings that the demo overrides: it uses its own data and no production services, has no rate limit, and replaces the
 * language model with rules.
 */
export const DEMO_SETTINGS = {
  NODE_ENV: 'development',
  HOST: '',
  PUBLIC_URL: '',
  METRICS_PORT: '0',
  METRICS_HOST: '',
  DATA_DIR: './data-demo',
  DATABASE_URL: '',
  REDIS_URL: '',
  RATE_LIMIT_STANDARD: '0',
  RATE_LIMIT_WEB_APP: '0',
  TRACKER: 'local',
  OBJECTS: 'folder',
  WORKER: 'in-process',
  LLM: 'builtin',
}
