import type { Readable } from 'node:stream'
import type { Multipart, MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { InvalidInput } from '#src/platform/errors.ts'
import { type NormalizedSchema, textNormalizer } from '#src/platform/schema/normalize-input.ts'
import { lazyValidator } from '#src/platform/schema/validate.ts'
import { truncate } from '#src/platform/truncate.ts'
import {
  type ImportQuery,
  MAX_FILE_NAME_LENGTH,
  MAX_FORMATS_LENGTH,
  MAX_MAPPING_LENGTH,
  MAX_REPAIRS_LENGTH,
  MAX_STAGES_LENGTH,
} from './schema.ts'

/** The settings that a form may have. */
export interface FormSettings<Settings> {
  names: readonly string[]
  /** @throws InvalidInput that names the setting that is wrong */
  read(texts: Record<string, string>): Settings
}

/** The settings of a schema. */
export function formSettings<Settings>(schema: TObject): FormSettings<Settings> {
  const errorOf = lazyValidator(schema)
  const typed = textNormalizer(schema as NormalizedSchema)
  return {
    names: Object.keys(schema.properties),
    read: (texts) => {
      const settings = typed(texts)
      // Validation adds defaults, which must not replace settings in the address.
      const error = errorOf({ ...settings })
      if (error) throw new InvalidInput(error)
      return settings as Settings
    },
  }
}

const MAX_SETTINGS = 20

export const FORM_LIMITS = {
  files: 1,
  fileSize: Number.POSITIVE_INFINITY,
  fields: MAX_SETTINGS,
  // In bytes: a longer value is cut, but stays longer than its limit in characters.
  fieldSize: 3 * MAX_REPAIRS_LENGTH + 3,
  parts: MAX_SETTINGS + 1,
  headerPairs: 50,
}

const LENGTHS: Partial<Record<keyof ImportQuery | 'stages', number>> = {
  mapping: MAX_MAPPING_LENGTH,
  formats: MAX_FORMATS_LENGTH,
  repairs: MAX_REPAIRS_LENGTH,
  stages: MAX_STAGES_LENGTH,
}

/** A form whose file is about to arrive. */
export interface ImportForm<Settings> {
  file: Readable
  /** The name of the file, if the client sent one. */
  name: string | undefined
  /** Call this after the file. Returns all settings, whether they come before or after the file. */
  settings(): Promise<Settings>
}

/**
 * Reads a form up to its file.
 * @throws InvalidInput for a form that cannot be read
 */
export async function readForm<Settings>(
  request: FastifyRequest,
  settings: FormSettings<Settings>,
): Promise<ImportForm<Settings>> {
  const parts = request.parts()
  const nextPart = async () => {
    const { value } = await parts.next().catch((error: Error) => {
      throw unreadableForm(error)
    })
    return value as Multipart | undefined
  }
  const texts: Record<string, string> = {}
  const readSettings = async (): Promise<MultipartFile | undefined> => {
    let part = await nextPart()
    for (; part?.type === 'field'; part = await nextPart()) readSetting(part, texts, settings.names)
    return part
  }
  const part = await readSettings()
  if (part?.fieldname !== 'file') throw new InvalidInput(ONE_FILE)
  settings.read(texts)
  return {
    file: part.file,
    name: part.filename?.replaceAll('\0', '').slice(0, MAX_FILE_NAME_LENGTH).toWellFormed(),
    settings: async () => {
      if (await readSettings()) throw new InvalidInput(ONE_FILE)
      return settings.read(texts)
    },
  }
}

const ONE_FILE = 'The form must have one file, in the field `file`.'

function readSetting(
  { fieldname: name, value: content }: MultipartValue,
  texts: Record<string, string>,
  known: readonly string[],
): void {
  const value = String(content)
  if (!known.includes(name))
    throw new InvalidInput(
      `The form's field ${truncate(name, 100)} is unknown. Known: ${known.join(', ')}, file.`,
    )
  if (Object.hasOwn(texts, name)) throw new InvalidInput(`The form must have the field ${name} only once.`)
  const longest = LENGTHS[name as keyof ImportQuery]
  if (longest !== undefined && value.length > longest)
    throw new InvalidInput(`${name} must not be longer than ${longest} characters.`)
  if (value !== '') texts[name] = value
}

export const unreadableForm = (error: Error) =>
  new InvalidInput(`The form cannot be read: ${error.message}.`, { cause: error })
