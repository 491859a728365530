import { InvalidInput } from '#src/platform/errors.ts'
import {
  MAX_PREFERENCE_KEYS,
  MAX_PREFERENCES_BYTES,
  type Preferences,
  type PreferencesPatch,
} from './schema.ts'

/**
 * Returns the preferences after a change; null removes a key.
 * @throws InvalidInput if they become too many or too large
 */
export function applyPreferences(before: Preferences, patch: PreferencesPatch): Preferences {
  const entries = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null)
  const after = Object.fromEntries(entries) as Preferences
  if (entries.length > MAX_PREFERENCE_KEYS)
    throw new InvalidInput(
      `preferences must have at most ${MAX_PREFERENCE_KEYS} keys, and this change would make ${entries.length}. null removes a key.`,
    )
  const bytes = Buffer.byteLength(JSON.stringify(after))
  if (bytes > MAX_PREFERENCES_BYTES)
    throw new InvalidInput(
      `preferences must be at most ${MAX_PREFERENCES_BYTES} bytes of JSON, and this change would make ${bytes}.`,
    )
  return after
}
