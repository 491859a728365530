import { type ParseArgsConfig, parseArgs } from 'node:util'
import { createClient } from '#src/client/client.ts'
import { ApiError, NotSignedIn, ServiceUnreachable } from '#src/client/errors.ts'
import { readEnvironmentFile } from '#src/platform/config/config.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { importThesesCommand } from './import-theses.ts'
import { InputError } from './input-error.ts'
import { tokenCommand } from './token.ts'

const HELP = `Usage: npm run cli -- COMMAND [OPTIONS]

Commands
  import FILE.csv           Import companies. FILE may be - for standard input.
    --dry-run               Report what would happen, and write nothing.
    --map FIELD=COLUMN      Say which column holds a field; may be given several times.
    --errors FILE.csv       Write the rows that failed and why into a file.
  import-theses FOLDER      Import theses from the folder's markdown files with front matter (code, title, …).
  export [FILE.csv]         Export companies to a file, or to standard output (then: npm run -s cli).
    --filter NAME=VALUE     Only companies that pass a filter of the list, such as country_code=DE.
  token                     Print a bearer token for a script. It runs where the service does, with its settings.
    --email EMAIL           For whom.
    --worker                For a worker that reports on bulk actions, in place of --email.
    --expires TIME          For how long: 30d, 12h, 90m; 7d without it.

Options of every command
  --url URL                 Where the service is; else API_URL, else http://localhost:PORT (3000).
  --token TOKEN             Who is asking: a token; else API_TOKEN.
  --as EMAIL                Who is asking, in development.
  --help                    Print this.
`

readEnvironmentFile()

const options = {
  url: { type: 'string', default: process.env.API_URL || `http://localhost:${process.env.PORT || 3000}` },
  token: { type: 'string', default: process.env.API_TOKEN ?? '' },
  as: { type: 'string' },
  help: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  map: { type: 'string', multiple: true, default: [] as string[] },
  errors: { type: 'string' },
  filter: { type: 'string', multiple: true, default: [] as string[] },
  email: { type: 'string' },
  worker: { type: 'boolean', default: false },
  expires: { type: 'string', default: '7d' },
} satisfies NonNullable<ParseArgsConfig['options']>

/** A mistake in the command line; its message is all that is printed. */
class UsageError extends Error {}

async function main(): Promise<number> {
  const { values, positionals } = readArguments()
  const [command, target, surplus] = positionals
  if (values.help || !command) {
    console.log(HELP)
    return values.help ? 0 : 2
  }
  if (surplus) throw new UsageError(`One thing at a time: ${surplus} is too much.`)
  if (!URL.canParse(values.url))
    throw new UsageError(`--url must be an address such as http://localhost:3000, not ${values.url}.`)
  const client = createClient({
    baseUrl: values.url,
    headers: {
      ...(values.token ? { authorization: `Bearer ${values.token}` } : {}),
      ...(values.as ? { 'x-user-email': values.as } : {}),
    },
    onRetry: (seconds) => console.error(`Too many requests in this minute: waiting ${seconds} seconds.`),
  })
  switch (command) {
    case 'import': {
      if (!target) throw new UsageError('import needs a file.')
      const { errors } = values
      return importCommand(client, target, {
        dryRun: values['dry-run'],
        mapping: pairs('map', values.map),
        errors,
      })
    }
    case 'import-theses':
      if (!target) throw new UsageError('import-theses needs a folder.')
      return importThesesCommand(client, target)
    case 'export':
      return exportCommand(client, target, pairs('filter', values.filter))
    case 'token':
      if (values.worker === Boolean(values.email)) throw new UsageError('token needs --email or --worker.')
      if (target) throw new UsageError(`token takes no ${target}.`)
      return tokenCommand(values.email, values.expires)
    default:
      throw new UsageError(`There is no command ${command}.`)
  }
}

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function pairs(option: string, texts: string[]): Record<string, string> {
  const names = texts.map((text) => text.split('=', 1)[0])
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated) throw new UsageError(`--${option} ${repeated} must be given once.`)
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
      if (!name || value === undefined) throw new UsageError(`--${option} must be NAME=VALUE, not "${text}".`)
      return [name, value]
    }),
  )
}

/** The exit status: 1 when the service refused or a file is wrong, 2 for a wrong command line. */
function report(error: unknown): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\nSee npm run cli -- --help`)
    return 2
  }
  const isExpected =
    error instanceof ApiError || error instanceof ServiceUnreachable || error instanceof InputError
  console.error(isExpected || (error as NodeJS.ErrnoException).code ? (error as Error).message : error)
  if (error instanceof ServiceUnreachable) console.error('Is it running? npm start starts it.')
  if (error instanceof NotSignedIn)
    console.error('A token goes with --token or API_TOKEN; the command token makes one.')
  return 1
}

process.exitCode = await main().catch(report)
