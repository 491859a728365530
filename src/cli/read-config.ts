import { type Config, ConfigError, loadConfig } from '#src/platform/config/config.ts'
import { Settings } from '#src/platform/config/settings.ts'
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

/**
 * A secret of the command line alone, which may be in a file that `…_FILE` names.
 * @throws InputError if both are set, or the file cannot be read
 */
export function readSecret(name: string): string | undefined {
  const settings = new Settings(process.env)
  const secret = settings.text(name)
  if (settings.errors.length > 0) throw new InputError(settings.errors.join('\n'))
  return secret
}
