import { writeFile } from 'node:fs/promises'
import type { Client, CustomField, CustomFieldEntity, CustomFieldType } from '#src/client/client.ts'

const NAMES: Record<CustomFieldEntity, string> = {
  company: 'CompanyCustom',
  deal: 'DealCustom',
  person: 'PersonCustom',
}

const TYPES: Partial<Record<CustomFieldType, string>> = {
  number: 'number',
  money: 'number',
  boolean: 'boolean',
}

/** TypeScript interfaces of the custom values of each entity. A field without a value is absent. */
export function typesOf(fields: readonly CustomField[]): string {
  const interfaces = (Object.keys(NAMES) as CustomFieldEntity[]).map((entity) => {
    const members = fields
      .filter((field) => field.entity === entity && !field.archived)
      .map((field) => `  /** ${commentOf(field)} */\n  ${field.key}?: ${typeOf(field)}\n`)
    return `/** The custom fields of a ${entity}. */\nexport interface ${NAMES[entity]} {\n${members.join('')}}\n`
  })
  return interfaces.join('\n')
}

function typeOf({ type, options }: CustomField): string {
  if (type !== 'select' && type !== 'multi_select') return TYPES[type] ?? 'string'
  const union = options.map(({ id }) => `'${id}'`).join(' | ') || 'never'
  return type === 'select' ? union : `(${union})[]`
}

/** Labels are free text, which must not end the comment. */
function commentOf({ label, type, currency, options }: CustomField): string {
  const choices = options.map((option) => `${option.id}: ${option.label}`).join(', ')
  const details = [type, currency, choices].filter(Boolean).join('; ')
  return `${label} (${details}).`.replaceAll('*/', '* /').replace(/\s+/g, ' ')
}

/** `types`: writes the types of the custom fields to a file or to standard output. Returns the exit status. */
export async function typesCommand(client: Client, file: string | undefined): Promise<number> {
  const entities = Object.keys(NAMES) as CustomFieldEntity[]
  const lists = await Promise.all(entities.map((entity) => client.listFields({ querystring: { entity } })))
  const custom = lists.flatMap(({ data }) => data.filter(({ id }) => id !== null))
  const types = typesOf(custom as CustomField[])
  if (file && file !== '-') await writeFile(file, types)
  else process.stdout.write(types)
  return 0
}
