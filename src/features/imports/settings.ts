import { customKey } from '#src/features/fields/index.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { shown } from '#src/platform/schema/describe-error.ts'
import { normalizeWord } from '#src/platform/schema/normalize-input.ts'
import { lazyValidator } from '#src/platform/schema/validate.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { ImportMapping } from './columns/columns.ts'
import { FieldMapping, FormatChoices, ImportRepairs, StageChoices } from './schema.ts'

const MAPPING_EXAMPLE =
  'such as {"name": "Firm"}, or for a new custom field {"custom.batch": {"column": "Batch", "type": "select"}}, where ' +
  'type and label may be omitted.'

/** @throws InvalidInput that names the part of the mapping that is wrong */
export function readMapping(text: string | undefined): ImportMapping {
  const mapping = readObject('mapping', text, MAPPING_EXAMPLE)
  for (const [field, column] of Object.entries(mapping)) requireColumn(field, column)
  return mapping as ImportMapping
}

const formatsError = lazyValidator(FormatChoices)

/** @throws InvalidInput that names the part of the formats that is wrong */
export function readFormats(text: string | undefined): FormatChoices {
  const formats = readObject('formats', text, 'such as {"Revenue": {"decimal": ",", "unit": "million"}}.')
  const error = formatsError(formats)
  if (error) throw new InvalidInput(`formats.${error}`)
  return formats as FormatChoices
}

const stagesError = lazyValidator(StageChoices)

/** @throws InvalidInput that names the stage that is wrong */
export function readStages(text: string | undefined): StageChoices {
  const stages = readObject('stages', text, 'such as {"Intro call": "meeting"}.')
  const words = Object.fromEntries(
    Object.entries(stages).map(([value, stage]) => [
      value,
      typeof stage === 'string' ? normalizeWord(stage) : stage,
    ]),
  )
  const error = stagesError(words)
  if (error) throw new InvalidInput(`stages.${error}`)
  return words
}

const repairsError = lazyValidator(ImportRepairs)

/** @throws InvalidInput that names the part of the repairs that is wrong */
export function readRepairs(text: string | undefined): ImportRepairs {
  const repairs = readObject(
    'repairs',
    text,
    'such as {"cells": [{"row": 7, "column": "Employees", "value": "50"}], "exclude": [12]}.',
  )
  const error = repairsError(repairs)
  if (error) throw new InvalidInput(`repairs.${error}`)
  return repairs
}

function readObject(name: string, text: string | undefined, example: string): object {
  if (!text) return {}
  const value = parsedJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new InvalidInput(
    `${name} must be a JSON object${name === 'mapping' ? ' of fields and columns' : ''}, ${example}`,
  )
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fieldMappingError = lazyValidator(FieldMapping)

const isColumns = (column: unknown): boolean =>
  Array.isArray(column) && column.length > 0 && column.every((name) => typeof name === 'string')

/** @throws InvalidInput if a field is mapped to something else than columns, a new custom field, or null */
function requireColumn(field: string, column: unknown): void {
  if (column === null || typeof column === 'string' || isColumns(column)) return
  const isCustom = customKey(field) !== undefined
  const position = `mapping.${truncate(field, 60)}`
  if (!isCustom || typeof column !== 'object' || Array.isArray(column))
    throw new InvalidInput(
      `${position} must be the name of a column${isCustom ? ', an object such as {"column": "Batch"},' : ''} or null, not ${shown(column)}.`,
    )
  const error = fieldMappingError(column)
  if (error) throw new InvalidInput(`${position}.${error}`)
}
