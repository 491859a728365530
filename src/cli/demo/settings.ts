/**
 * The demo keeps away from real data and from production, may be clicked through fast, and shows by rules what a language
 * model would do, whatever the settings say.
 */
export const DEMO_SETTINGS = {
  NODE_ENV: 'development',
  HOST: '',
  PUBLIC_URL: '',
  DATA_DIR: './data-demo',
  DATABASE_URL: '',
  REDIS_URL: '',
  RATE_LIMIT_STANDARD: '0',
  TRACKER: 'local',
  OBJECTS: 'folder',
  WORKER: 'in-process',
  LLM: 'builtin',
}
