import { type Config, ConfigError, loadConfig } from '#src/platform/config/config.ts'
import { InputError } from './input-error.ts'

/**
 * The service's settings.
 * @throws InputError if they are invalid
 */
export function readConfig(): Config {
  try {
    return loadConfig(process.env)
  } catch (error) {
    throw error instanceof ConfigError ? new InputError(error.message) : error
  }
}
