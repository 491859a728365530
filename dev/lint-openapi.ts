/** `node dev/lint-openapi.ts FILE`: lints an OpenAPI document with Spectral's rules, and fails on any finding. */
import { readFileSync } from 'node:fs'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralParsers from '@stoplight/spectral-parsers'
import spectralRulesets from '@stoplight/spectral-rulesets'

// These packages are CommonJS modules, so their names cannot be imported one by one.
const { Document, Spectral } = spectralCore
const { Json } = spectralParsers
const { oas } = spectralRulesets

const [file] = process.argv.slice(2)
if (!file) throw new Error('Usage: node dev/lint-openapi.ts FILE')

const spectral = new Spectral()
spectral.setRuleset({ extends: oas as RulesetDefinition })
const findings = await spectral.run(new Document(readFileSync(file, 'utf8'), Json, file))
for (const { code, path, message } of findings) console.error(`${path.join('.')}: ${message} (${code})`)
console.log(`Spectral found ${findings.length} problems in the API description.`)
process.exitCode = findings.length > 0 ? 1 : 0
