/** What `--help` prints. */
export const HELP = `Usage: npm run cli -- COMMAND [OPTIONS]

Commands
  import FILE               Import companies, people, notes, or deals from CSV or an Excel workbook. Use - as the file
                            for standard input.
    --holds WHAT            What the file holds: companies, people, notes, or deals. By default, the column names
                            decide, and the command asks before it imports anything but companies. Standard input
                            holds companies.
    --create-companies      Create the companies that people, notes, and deals name and that do not exist.
    --on-existing WHAT      What happens to rows about people or deals that exist: update (the default),
                            fill (only blank fields), or skip.
    --stages JSON           Which stages those of a file of deals are: '{"Intro call": "meeting"}'.
    --dry-run               Report what would happen without writing anything.
    --on-conflict WHAT      What happens to rows that may be another company: keep_apart (the default), update, or skip.
    --on-trashed WHAT       What happens to rows about records in the trash, except for notes: skip (the default), or
                            restore.
    --identify-by FIELD     A custom text field that identifies companies, such as custom.crm_id.
    --bad-cells WHAT        What happens to cells that cannot be read: blank (the default), or fail, which skips the row.
    --formats JSON          How columns are written, such as '{"Revenue": {"unit": "million", "currency": "EUR"}}'.
    --encoding NAME         The encoding, such as windows-1251. Detected by default.
    --delimiter CHARACTER   A comma, semicolon, tab, or vertical bar. Detected by default.
    --header-row ROW        The row with the column names, or 0 for none. Detected by default.
    --sheet NAME            The sheet of a workbook.
    --map FIELD=COLUMN      Map a field to a column. Can be repeated.
    --create FIELD=COLUMN   Create a custom field for a column, such as custom.vip=VIP. Its type is guessed, and its
                            label is the name of the column. Can be repeated.
    --errors FILE.csv       Save the failed rows and the cells left blank, with the reasons, to a file.
  import-theses FOLDER      Import theses from Markdown files with front matter (code, title, …).
  export [deals] [FILE.csv] Export companies, or deals, to a file or to standard output (with npm run -s cli).
    --filter NAME=VALUE     Export only what matches, such as country_code=DE, or stage=meeting for deals. Can be
                            repeated, also with the same name: then any of the values matches.
    --bom                   Begin the file with a byte order mark, so that Excel reads it as UTF-8.
  backup FILE               Back up all tables and stored files while the service runs. Use - for standard output.
                            BACKUP_PASSPHRASE encrypts it. With the embedded database, with --url, and where
                            there is no database, the running service makes it for an admin (--token, --as).
  backup verify FILE        Check that a backup is whole and can be restored.
  restore FILE              Restore a backup into an empty database (DATABASE_URL, or DATA_DIR) and empty storage of
                            files. Run it before you start the service.
  upgrade status            Print which migrations the database lacks, and what is still done in the background. The
                            exit status is 0 if it is up to date, 3 if migrations are pending, or else 1.
  upgrade plan              Print what each pending migration does, about how long it takes, and whether the previous
                            version keeps serving.
  upgrade run               Apply the pending migrations, one by one. If one fails, those before it stay; run it again.
    --backup FILE           Back up first, as backup FILE does. If that fails, nothing is upgraded.
                            With PostgreSQL, run these three beside the service. With the embedded database, stop it.
  types [FILE.ts]           Write TypeScript types of the custom fields to a file or to standard output.
  token                     Print a bearer token for a script. Run it where the service runs, with its settings.
    --email EMAIL           The user.
    --worker                Instead of --email: for a worker that reports on bulk actions.
    --expires TIME          The lifetime, such as 30d, 12h or 90m. The default is 7d.
  key create                Create an API key and print it. It can be listed and revoked through the API.
    --name NAME             What the key is for.
    --scopes SCOPES         Separated by commas: read, write, import, export, bulk, worker, admin.
    --role ROLE             The highest role it acts with. The default is the owner's.
    --expires TIME          The lifetime, or never. The default is 90d.
    --email EMAIL           The owner, if you run this where the service runs. Otherwise pass --token or --as.
  user erase EMAIL          Lock a person out and replace their email address with a pseudonym everywhere.
  user readmit EMAIL        Let an erased person sign in again, as a new user.
  user export EMAIL         Print everything stored about a person as JSON.
  person export ID|EMAIL    Print everything stored about a contact as JSON.
  person erase ID|EMAIL     Erase a contact permanently, and replace their details in linked notes.
    --executives            Remove the entries with their name from the executives of all companies too.
    --also NAME             A further name to replace in those notes. Can be repeated.
  duplicates scan           Compare all companies again to find duplicates.
  secrets status            Count the encrypted secrets in the database by the key that they need. Exit status 0:
                            ENCRYPTION_PREVIOUS_KEYS can be removed.
  audit verify [ENTRY]      Check that the audit log was not changed, and still has the entry that an earlier check
                            printed. These eight work on the database, with the service's settings. With the
                            embedded database, stop the service first.

Options for every command
  --url URL                 The service. Defaults to API_URL, or else to http://localhost:PORT (3000).
  --token TOKEN             The API key or bearer token. Defaults to API_TOKEN.
  --as EMAIL                The user, in development.
  --help                    Print this help.
`

/** The part of the help about a command with several forms, such as `upgrade`. */
export function helpOf(command: string): string {
  let isAbout = false
  const lines = HELP.split('\n').filter((line) => {
    if (/^ {2}\S|^\S/.test(line)) isAbout = line.startsWith(`  ${command} `)
    return isAbout && line !== ''
  })
  return lines.join('\n')
}
