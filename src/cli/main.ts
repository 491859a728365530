import { type ParseArgsConfig, parseArgs } from 'node:util'
import { createClient } from '#src/client/client.ts'
import { ApiError, NotSignedIn, ServiceUnreachable } from '#src/client/errors.ts'
import { readEnvironmentFile } from '#src/platform/config/config.ts'
import { exportCommand, exportedBy } from './export.ts'
import { HELP, helpOf } from './help.ts'
import { HOLDS, importCommand } from './import.ts'
import { chooseHolds } from './import-holds.ts'
import { InputError, UsageError } from './input-error.ts'
import { createKeyCommand } from './key.ts'
import { readFilters, readMapping } from './pairs.ts'
import { readSecret } from './read-config.ts'
import { tokenCommand } from './token.ts'
import { typesCommand } from './types.ts'

readEnvironmentFile()

const options = {
  url: { type: 'string', default: process.env.API_URL || `http://localhost:${process.env.PORT || 3000}` },
  token: { type: 'string' },
  as: { type: 'string' },
  help: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  holds: { type: 'string' },
  'create-companies': { type: 'boolean', default: false },
  'on-existing': { type: 'string' },
  map: { type: 'string', multiple: true, default: [] as string[] },
  create: { type: 'string', multiple: true, default: [] as string[] },
  errors: { type: 'string' },
  'on-conflict': { type: 'string' },
  'on-trashed': { type: 'string' },
  'identify-by': { type: 'string' },
  'bad-cells': { type: 'string' },
  formats: { type: 'string' },
  stages: { type: 'string' },
  encoding: { type: 'string' },
  delimiter: { type: 'string' },
  'header-row': { type: 'string' },
  sheet: { type: 'string' },
  filter: { type: 'string', multiple: true, default: [] as string[] },
  bom: { type: 'boolean', default: false },
  email: { type: 'string' },
  worker: { type: 'boolean', default: false },
  expires: { type: 'string' },
  name: { type: 'string' },
  scopes: { type: 'string' },
  role: { type: 'string' },
  executives: { type: 'boolean', default: false },
  also: { type: 'string', multiple: true, default: [] as string[] },
  backup: { type: 'string' },
} satisfies NonNullable<ParseArgsConfig['options']>

/** Commands that work on the database, besides `person`. */
const ADMINISTRATION = ['user', 'audit', 'duplicates', 'secrets']
/** The words that must follow these commands. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  ...{ upgrade: ['status', 'plan', 'run'], key: ['create'], user: ['erase', 'readmit', 'export'] },
  ...{ person: ['export', 'erase'], duplicates: ['scan'], secrets: ['status'], audit: ['verify'] },
}

async function main(): Promise<number> {
  const { values, positionals } = readArguments()
  const [command, target, extraArgument] = positionals
  const { expires } = values
  if (values.help || !command) {
    console.log(HELP)
    return values.help ? 0 : 2
  }
  requireAction(command, target)
  if (command === 'restore' || (command === 'backup' && target === 'verify')) return checkBackup(positionals)
  if (command === 'upgrade')
    return (await import('./upgrade.ts')).upgradeCommand(positionals.slice(1), values.backup)
  if (command === 'person') return administerPerson(positionals, values)
  if (ADMINISTRATION.includes(command)) return administer(positionals)
  const exported = command === 'export' ? exportedBy(target) : undefined
  if (extraArgument && command === 'backup')
    throw new UsageError('backup takes one file. To check a backup: backup verify FILE.')
  if (extraArgument && !exported) throw new UsageError(`Unexpected argument: ${extraArgument}.`)
  if (!URL.canParse(values.url))
    throw new UsageError(`--url must be a URL such as http://localhost:3000, not ${values.url}.`)
  const clientWith = (token: string) =>
    createClient({
      baseUrl: values.url,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(values.as ? { 'x-user-email': values.as } : {}),
      },
      onRetry: (seconds) => console.error(`Rate limit reached. Retrying in ${seconds} seconds.`),
    })
  const ownToken = values.token ?? readSecret('API_TOKEN') ?? ''
  const client = clientWith(ownToken)
  switch (command) {
    case 'import': {
      if (!target) throw new UsageError('import needs a file.')
      const { errors, formats, encoding, delimiter, sheet } = values
      const holds = HOLDS.find((one) => one === values.holds)
      if (values.holds !== undefined && !holds)
        throw new UsageError(`--holds must be companies, people, notes, or deals, not ${values.holds}.`)
      const settings = {
        dryRun: values['dry-run'],
        mapping: readMapping(values.map, values.create),
        errors,
        choices: {
          ...{ on_conflict: values['on-conflict'], on_trashed: values['on-trashed'] },
          ...{ identify_by: values['identify-by'], bad_cells: values['bad-cells'], formats, encoding },
          ...{ delimiter, header_row: values['header-row'], sheet, on_existing: values['on-existing'] },
          stages: values.stages,
          ...(values['create-companies'] && { create_companies: 'true' }),
        },
      }
      return importCommand(client, target, {
        ...settings,
        holds: holds ?? (await chooseHolds(client, target, settings)),
      })
    }
    case 'import-theses':
      if (!target) throw new UsageError('import-theses needs a folder.')
      return (await import('./import-theses.ts')).importThesesCommand(client, target)
    case 'export':
      return exportCommand(
        client,
        exported ?? 'companies',
        exported ? extraArgument : target,
        readFilters(values.filter),
        values.bom,
      )
    case 'backup':
      if (!target) throw new UsageError('backup needs a file, or - for standard output.')
      return (await import('./backup.ts')).backupCommand(client, target, values.url !== options.url.default)
    case 'types':
      return typesCommand(client, target)
    case 'token':
      if (values.worker === Boolean(values.email)) throw new UsageError('token needs --email or --worker.')
      if (target) throw new UsageError(`token does not take an argument: ${target}.`)
      return tokenCommand(values.email, expires ?? '7d')
    case 'key':
      if (!values.name || !values.scopes) throw new UsageError('key create needs --name and --scopes.')
      return createKeyCommand((token = ownToken) => clientWith(token), {
        ...values,
        name: values.name,
        scopes: values.scopes,
      })
    default:
      throw new UsageError(`Unknown command: ${command}.`)
  }
}

/** Runs a command that works on the database. Only these load the code for it. */
async function administer([command, action, target, extraArgument]: string[]): Promise<number> {
  if (extraArgument) throw new UsageError(`Unexpected argument: ${extraArgument}.`)
  if (command === 'audit') {
    const { verifyAuditCommand } = await import('./maintenance.ts')
    return verifyAuditCommand(target)
  }
  if (command === 'duplicates') {
    if (target) throw new UsageError(`Unexpected argument: ${target}.`)
    const { scanDuplicatesCommand } = await import('./maintenance.ts')
    return scanDuplicatesCommand()
  }
  if (command === 'secrets') {
    if (target) throw new UsageError(`Unexpected argument: ${target}.`)
    return (await import('./secrets.ts')).secretsStatusCommand()
  }
  if (!target) throw new UsageError(`user ${action} needs an email address.`)
  const { eraseUserCommand, exportUserCommand, readmitUserCommand } = await import('./user.ts')
  const commands = { erase: eraseUserCommand, export: exportUserCommand, readmit: readmitUserCommand }
  return commands[action as keyof typeof commands](target)
}

/** @throws UsageError with the forms of the command, if it has several */
function requireAction(command: string, action: string | undefined): void {
  const actions = Object.hasOwn(ACTIONS, command) ? (ACTIONS[command] ?? []) : undefined
  if (!actions || (action && actions.includes(action))) return
  const last = actions.at(-1)
  const words = actions.length > 2 ? `${actions.slice(0, -1).join(', ')}, or ${last}` : actions.join(' or ')
  throw new UsageError(
    `${command} needs the word ${words}${action ? `, not ${action}` : ''}.\n\n${helpOf(command)}\n`,
  )
}

/** `restore FILE` and `backup verify FILE`. */
async function checkBackup(words: string[]): Promise<number> {
  const isRestore = words[0] === 'restore'
  const [file, extraArgument] = words.slice(isRestore ? 1 : 2)
  if (extraArgument) throw new UsageError(`Unexpected argument: ${extraArgument}.`)
  if (!file) throw new UsageError(`${isRestore ? 'restore' : 'backup verify'} needs a file.`)
  const { restoreCommand, verifyBackupCommand } = await import('./backup.ts')
  return isRestore ? restoreCommand(file) : verifyBackupCommand(file)
}

/** Runs a command about a contact. */
async function administerPerson(
  [_command, action, target, extraArgument]: string[],
  { executives, also }: { executives: boolean; also: string[] },
): Promise<number> {
  if (extraArgument) throw new UsageError(`Unexpected argument: ${extraArgument}.`)
  if (!target) throw new UsageError(`person ${action} needs the id or an email address of a person.`)
  const { eraseContactCommand, exportContactCommand } = await import('./person.ts')
  return action === 'export'
    ? exportContactCommand(target)
    : eraseContactCommand(target, { executives, also })
}

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Prints the error. Returns the exit status: 2 for a wrong command line, or else 1. */
function reportError(error: unknown): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\nSee npm run cli -- --help`)
    return 2
  }
  const isExpected =
    error instanceof ApiError || error instanceof ServiceUnreachable || error instanceof InputError
  console.error(isExpected || (error as NodeJS.ErrnoException).code ? (error as Error).message : error)
  if (error instanceof ServiceUnreachable)
    console.error(
      'Is it running? Start it with npm start. If it has another address or port, pass --url or set API_URL.',
    )
  if (error instanceof NotSignedIn)
    console.error(
      'Pass an API key or a token with --token or API_TOKEN. The command key create creates a key.',
    )
  return 1
}

process.exitCode = await main().catch(reportError)
