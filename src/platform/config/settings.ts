import { readFileSync } from 'node:fs'

export type Environment = Readonly<Record<string, string | undefined>>

/** Names of secrets. URLs of servers may contain a password. */
const SECRET = /SECRET|KEY|TOKEN(?!_BUDGET)|PASSWORD|PASSPHRASE|^(DATABASE|REDIS|SMTP)_URL$/
/** The user and password in a URL. */
const PASSWORD = /(\w:\/\/)[^/\s]*@/g

/** Reads typed settings from environment variables and collects their errors, one line each. */
export class Settings {
  readonly errors: string[] = []
  /** Settings that have no effect, one line each. */
  readonly warnings: string[] = []
  readonly #environment: Environment
  readonly #read = new Set<string>()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** The setting's value, or `undefined` if it is missing or blank. That of a secret may be in a file, which `…_FILE` names. */
  text(name: string): string | undefined {
    this.#read.add(name)
    const value = this.#environment[name]?.trim() || undefined
    const file = SECRET.test(name) ? this.#environment[`${name}_FILE`]?.trim() : undefined
    return file ? this.#fromFile(name, value, file) : value
  }

  #fromFile(name: string, value: string | undefined, file: string): string | undefined {
    if (value !== undefined) {
      this.#addOnce(`${name}: set either it or ${name}_FILE, not both`)
      return value
    }
    try {
      const content = readFileSync(file, 'utf8').trim()
      if (!content) this.#addOnce(`${name}_FILE: the file ${file} is empty`)
      return content || undefined
    } catch (error) {
      this.#addOnce(`${name}_FILE: cannot read the file ${file} (${(error as NodeJS.ErrnoException).code})`)
      return undefined
    }
  }

  #addOnce(error: string): void {
    if (!this.errors.includes(error)) this.errors.push(error)
  }

  /** The settings that have been read and are set, without secrets and without passwords in URLs. */
  shown(): Record<string, string> {
    const names = [...this.#read].filter((name) => !SECRET.test(name)).sort()
    return Object.fromEntries(
      names.flatMap((name) => {
        const value = this.text(name)
        return value === undefined ? [] : [[name, value.replace(PASSWORD, '$1***@')]]
      }),
    )
  }

  /** The setting's values, separated by commas or spaces. */
  list(name: string): string[] {
    return (this.text(name) ?? '').split(/[\s,]+/).filter(Boolean)
  }

  wholeNumber(name: string, fallback: number, minimum: number, maximum: number): number {
    const value = Number(this.text(name) ?? fallback)
    if (!Number.isInteger(value) || value < minimum || value > maximum)
      this.reject(name, `a whole number from ${minimum} to ${maximum}`)
    return value
  }

  fraction(name: string, fallback: number): number {
    const value = Number(this.text(name) ?? fallback)
    if (!(value >= 0 && value <= 1)) this.reject(name, 'a number from 0 to 1')
    return value
  }

  oneOf<T extends string>(name: string, fallback: T, allowed: readonly T[]): T {
    const value = (this.text(name) ?? fallback) as T
    if (!allowed.includes(value)) this.reject(name, `one of ${allowed.join(', ')}`)
    return value
  }

  /**
   * Warns about settings that have no effect in this configuration.
   * @param defaults each setting with its default
   * @param condition when the settings take effect
   */
  warnIfUnused(defaults: Readonly<Record<string, string>>, condition: string): void {
    const unused = Object.entries(defaults)
      .filter(([name, fallback]) => (this.text(name) ?? fallback) !== fallback)
      .map(([name]) => name)
    if (unused.length > 0) this.warnings.push(`${unused.join(', ')}: no effect unless ${condition}`)
  }

  /** Records an error that quotes the setting's value. Not for secrets. */
  reject(name: string, expected: string): void {
    this.errors.push(`${name}: must be ${expected}, not "${this.#environment[name]}"`)
  }

  /** Records an error about a setting that is missing or secret; its value is not quoted. */
  addError(name: string, message: string): void {
    this.errors.push(`${name}: ${message}`)
  }
}
