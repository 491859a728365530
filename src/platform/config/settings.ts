export type Environment = Readonly<Record<string, string | undefined>>

/** The settings of an environment, read one by one; what is wrong with them is collected, a line each. */
export class Settings {
  readonly faults: string[] = []
  /** What is set and changes nothing, a line each. */
  readonly warnings: string[] = []
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** The setting's text; `undefined` when it is missing or blank. */
  text(name: string): string | undefined {
    return this.#environment[name]?.trim() || undefined
  }

  /** The setting's parts between commas or spaces. */
  list(name: string): string[] {
    return (this.text(name) ?? '').split(/[\s,]+/).filter(Boolean)
  }

  wholeNumber(name: string, fallback: number, lowest: number, highest: number): number {
    const value = Number(this.text(name) ?? fallback)
    if (!Number.isInteger(value) || value < lowest || value > highest)
      this.refuse(name, `a whole number from ${lowest} to ${highest}`)
    return value
  }

  oneOf<T extends string>(name: string, fallback: T, allowed: readonly T[]): T {
    const value = (this.text(name) ?? fallback) as T
    if (!allowed.includes(value)) this.refuse(name, `one of ${allowed.join(', ')}`)
    return value
  }

  /**
   * Warns of settings that change nothing as the others are.
   * @param standards the settings, each with the value that it has when it is not set
   * @param until what would make them count
   */
  warnOfIdle(standards: Readonly<Record<string, string>>, until: string): void {
    const idle = Object.entries(standards)
      .filter(([name, fallback]) => (this.text(name) ?? fallback) !== fallback)
      .map(([name]) => name)
    if (idle.length > 0) this.warnings.push(`${idle.join(', ')}: without effect unless ${until}`)
  }

  /** The fault of a setting whose value may be shown. */
  refuse(name: string, allowed: string): void {
    this.faults.push(`${name}: must be ${allowed}, not "${this.#environment[name]}"`)
  }

  /** The fault of a setting that is missing, or whose value is a secret. */
  demand(name: string, sentence: string): void {
    this.faults.push(`${name}: ${sentence}`)
  }
}
