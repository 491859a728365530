export const ada = 'ada@example.com'

export const NO_RATE_LIMITS = {
  RATE_LIMIT_STANDARD: '0',
  RATE_LIMIT_WEB_APP: '0',
  RATE_LIMIT_AI: '0',
  RATE_LIMIT_BULK: '0',
  RATE_LIMIT_IMPORT: '0',
  RATE_LIMIT_LOGOS: '0',
  RATE_LIMIT_SIGN_IN: '0',
}

/** Valid production settings. Nothing listens at the identity provider's URL. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://deals.example.com',
  SESSION_SECRET: 'a-secret-of-tests-0123456789-abcdefghij',
  IDP_ISSUER: 'http://127.0.0.1:1',
  IDP_CLIENT_ID: 'deal-pipeline',
  IDP_CLIENT_SECRET: 'nothing',
  ALLOWED_DOMAIN: 'example.com',
  METRICS_PORT: '0',
}
