import type { Readable } from 'node:stream'
import type { Multipart, MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { InvalidInput, ServiceError } from '#src/platform/errors.ts'
import { isClientGone } from '#src/platform/http/disconnect.ts'
import { isDeeperThan } from '#src/platform/schema/json-depth.ts'
import { bodyNormalizer, type NormalizedSchema } from '#src/platform/schema/normalize-input.ts'
import { lazyValidator } from '#src/platform/schema/validate.ts'
import { truncate } from '#src/platform/truncate.ts'
import { cleanFileName } from './name.ts'
import { NewFile } from './schema.ts'

/** A field is at most this long in bytes: `about` with 50 records and their names. */
const MAX_FIELD_BYTES = 128 * 1024
const MAX_ABOUT_DEPTH = 5
const FIELDS = Object.keys(NewFile.properties)

export const FORM_LIMITS = {
  // One more each, so that a form with too many can be refused in words.
  files: 2,
  fields: FIELDS.length + 1,
  parts: FIELDS.length + 3,
  fileSize: Number.POSITIVE_INFINITY,
  fieldSize: MAX_FIELD_BYTES,
  headerPairs: 50,
}

/** A form whose file is about to arrive. */
export interface FileForm<Fields> {
  /** The fields, if those before the file are enough. */
  fields: Fields | undefined
  /** The name of the file, if the client sent one. */
  fileName: string | undefined
  content: Readable
  /** Call this after the content. @returns all fields @throws InvalidInput for fields that are wrong, or a second file */
  end(): Promise<Fields>
}

/**
 * Reads a form up to its file. Fields may come before and after it; those before it are checked before the content arrives.
 * @param read checks the fields, which are texts
 * @param required the field without which those before the file are not enough
 * @throws InvalidInput for a form that cannot be read, or that has other fields
 */
export async function readForm<Fields>(
  request: FastifyRequest,
  read: (texts: Record<string, string>) => Fields,
  required?: string,
): Promise<FileForm<Fields>> {
  const parts = request.parts()
  const texts: Record<string, string> = {}
  /** Reads fields. @returns the first part that is none */
  const readFields = async (): Promise<MultipartFile | undefined> => {
    for (;;) {
      const { value } = await parts.next().catch((error: Error) => {
        throw explainForm(error)
      })
      const part = value as Multipart | undefined
      if (part?.type !== 'field') return part
      readField(part, texts)
    }
  }
  const part = await readFields()
  if (part?.fieldname !== 'file') throw new InvalidInput(ONE_FILE)
  const { file: content, filename: fileName } = part
  try {
    return {
      fields: required === undefined || Object.hasOwn(texts, required) ? read(texts) : undefined,
      fileName,
      content,
      end: async () => {
        if (await readFields()) throw new InvalidInput(ONE_FILE)
        return read(texts)
      },
    }
  } catch (error) {
    content.resume()
    throw error
  }
}

const ONE_FILE = 'The form must have one file, in the field `file`.'

function readField({ fieldname: name, value }: MultipartValue, texts: Record<string, string>): void {
  if (name === 'file') throw new InvalidInput('The field `file` must be a file with a name, not a text.')
  if (!FIELDS.includes(name))
    throw new InvalidInput(
      `The form's field ${truncate(name, 100)} is unknown. Known: ${FIELDS.join(', ')}, file.`,
    )
  if (Object.hasOwn(texts, name)) throw new InvalidInput(`The form must have the field ${name} only once.`)
  const text = String(value)
  if (Buffer.byteLength(text) >= MAX_FIELD_BYTES)
    throw new InvalidInput(`${name} must not be longer than ${MAX_FIELD_BYTES} bytes.`)
  if (text !== '') texts[name] = text
}

const errorOf = lazyValidator(NewFile)
const normalize = bodyNormalizer(NewFile as NormalizedSchema)

/** The fields of a new file. @throws InvalidInput that names the field that is wrong */
export function readNewFile({ about, name, ...texts }: Record<string, string>): NewFile {
  const fields = normalize({
    ...texts,
    ...(name !== undefined && { name: cleanFileName(name) }),
    ...(about !== undefined && { about: parseAbout(about) }),
  })
  const error = errorOf(fields)
  if (error) throw new InvalidInput(error)
  return fields as NewFile
}

/** The fields of a new version. @throws InvalidInput if there is one */
export function readNothing(texts: Record<string, string>): Record<string, never> {
  const [name] = Object.keys(texts)
  if (name)
    throw new InvalidInput(`The form of a new version must have no field besides file, but has ${name}.`)
  return {}
}

function parseAbout(text: string): unknown {
  try {
    if (!isDeeperThan(MAX_ABOUT_DEPTH, text)) return JSON.parse(text)
  } catch {}
  throw new InvalidInput(
    'about must be JSON: an array of records, such as [{"type": "company", "id": "cmp_01jw3f8x5zfq2v5n6k7m8p9r0s"}].',
  )
}

/** What is wrong with a form that cannot be read, as a sentence. All other errors stay. */
export function explainForm(error: Error & { code?: string }): Error {
  if (error instanceof ServiceError) return error
  if (isClientGone(error) || error.code === 'FST_MP_PREMATURE_CLOSE')
    return new InvalidInput('The connection closed before the end of the file. Nothing was saved.')
  const isOfForm = error.code?.startsWith('FST_') || /multipart|form data/i.test(error.message)
  return isOfForm ? new InvalidInput(`The form cannot be read: ${error.message}.`) : error
}
