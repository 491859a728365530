import { checkNewText, isAbout, toValue, withLabel } from '#web/fields/custom-values.ts'
import type { DealChanges } from './deal-cache.ts'
import { checkTerm, type Term, withTermLabel } from './terms.ts'

/** The name of a term in the body of a request. */
export const nameOfTerm = ({ isCustom, key }: Term): string => (isCustom ? `custom.${key}` : key)

/** The terms of a new deal, as the service takes them. */
export function newTerms(terms: readonly Term[], texts: Record<string, string>): DealChanges {
  const values = terms
    .map((term) => [term, toValue(term, texts[nameOfTerm(term)] ?? '')] as const)
    .filter(([, value]) => value !== null)
  const named = (isCustom: boolean) =>
    Object.fromEntries(
      values.filter(([term]) => term.isCustom === isCustom).map(([{ key }, value]) => [key, value]),
    )
  return { ...named(false), custom: named(true) }
}

/** The problems of the texts by name, as far as the browser knows. */
export function problemsOf(terms: readonly Term[], texts: Record<string, string>): Record<string, string> {
  const problems = terms.map((term) => {
    const text = texts[nameOfTerm(term)] ?? ''
    return [nameOfTerm(term), checkTerm(term, text) ?? checkNewText(term, text)] as const
  })
  return Object.fromEntries(
    problems.filter((problem): problem is readonly [string, string] => problem[1] !== null),
  )
}

/** The problem that the service has found, if its message names a term. */
export function problemOf(terms: readonly Term[], message: string): Record<string, string> {
  const term = terms.find((one) => isAbout(nameOfTerm(one), message))
  if (!term) return {}
  return { [nameOfTerm(term)]: term.isCustom ? withLabel(term, message) : withTermLabel(term, message) }
}
