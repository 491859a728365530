import path from 'node:path'
import type { Logger } from 'pino'
import { AuditLog } from './features/audit/index.ts'
import type { BackupStatus } from './features/backups/index.ts'
import { ListCaches, profileKey } from './features/companies/index.ts'
import {
  FEEDBACK_QUEUE,
  type FeedbackJob,
  FILING_TIMING,
  type FilingTiming,
  MAX_RETRY_DELAY_SECONDS,
} from './features/feedback/index.ts'
import { CustomFields } from './features/fields/index.ts'
import type { FileScanStatus } from './features/files/index.ts'
import { recordKeyUses } from './features/keys/index.ts'
import type { Indexes } from './features/search/index.ts'
import { openIndexes } from './features/search/index.ts'
import { endSession, readLastSeen, recordSessionUses } from './features/sessions/index.ts'
import { type FilterCallers, filterCallers, readAccessChanges } from './features/users/index.ts'
import type { Config } from './platform/config/config.ts'
import type { Database, Db } from './platform/database/database.ts'
import { openDatabaseWithSpace } from './platform/database/full-disk.ts'
import type { SchemaRefusal } from './platform/database/newer-schema.ts'
import { DatabaseWrites } from './platform/database/writes.ts'
import type { Embedder } from './platform/embeddings/endpoint-embedder.ts'
import { openEmbedder } from './platform/embeddings/open-embedder.ts'
import { createKeyring, type Keyring } from './platform/encryption/keyring.ts'
import { EventStreams } from './platform/http/event-streams.ts'
import { createRateLimits, type RateLimits } from './platform/http/limits/rate-limits.ts'
import { createMetrics, type Metrics } from './platform/http/metrics.ts'
import { UploadFolder } from './platform/http/upload-folder.ts'
import { builtWebApp } from './platform/http/web-app.ts'
import { AccessState } from './platform/identity/access-state.ts'
import { type Authorize, createAuthorize } from './platform/identity/authorize.ts'
import { CredentialUses } from './platform/identity/credential-use.ts'
import { createGateway } from './platform/identity/gateway.ts'
import { createIdentify, type Identify } from './platform/identity/identity.ts'
import { createIdentityProvider, type IdentityProvider } from './platform/identity/identity-provider.ts'
import { requireRecentUse } from './platform/identity/idle-sessions.ts'
import { createSessions, type Sessions } from './platform/identity/session.ts'
import { sessionSecrets } from './platform/identity/session-secret.ts'
import { newId } from './platform/ids.ts'
import type { MailServer } from './platform/mail/mail-server.ts'
import { type CachingObjects, cachingObjects } from './platform/objects/cache.ts'
import type { Objects, RefusedDeletions } from './platform/objects/objects.ts'
import { objectsFolder, openObjects } from './platform/objects/open-objects.ts'
import {
  combineChecks,
  createDependencyCheck,
  type DependencyCheck,
} from './platform/process/dependency-checks.ts'
import { FreeSpace } from './platform/process/free-space.ts'
import { createLogger } from './platform/process/logging.ts'
import { openQueues, type Queue } from './platform/queue.ts'
import { createTracker, type Tracker } from './platform/trackers/tracker.ts'
import { VirusScanner } from './platform/virus-scan/virus-scanner.ts'
import { type BulkQueues, openBulkQueues } from './worker/queues.ts'

/** The dependencies of the slices. Tests replace parts of it through the overrides of `createContext`. */
export interface Context {
  readonly config: Config
  readonly log: Logger
  readonly db: Db
  /** For imports, exports and counts of values. */
  readonly longDb: Db
  /** How many characters a statement of such work writes. */
  readonly longBatchLength: number
  /** How long, in milliseconds, a transaction with one batch of many records takes. */
  readonly maxBatchMs: number
  /** For migrations and work beside the requests. */
  readonly backgroundDb: Db
  /** For `/readyz`, and for reading who has access, which must not wait for other work. */
  readonly probeDb: Db
  /** Whether the database has been written to, for work that waits for that. */
  readonly writes: DatabaseWrites
  /** For events whose effect is not in the database. */
  readonly audit: AuditLog
  readonly objects: CachingObjects
  /** What operators should know about scheduled backups. The background work updates it. */
  readonly backupStatus: BackupStatus
  /** Whether a newer version has taken over the database. The background work finds out. */
  readonly schemaRefusal: SchemaRefusal
  /** What the last purge could not delete. */
  readonly refusedDeletions: RefusedDeletions
  readonly disks: Disks
  /** For imports that arrive faster than they are read. */
  readonly uploads: UploadFolder
  readonly companyLists: ListCaches
  /** The definitions of custom fields. */
  readonly customFields: CustomFields
  /** `undefined` if semantic search is off. */
  readonly indexes: Indexes | undefined
  /** `undefined` if no embedding model is configured. */
  readonly embedder: Embedder | undefined
  readonly bulkQueues: BulkQueues
  readonly tracker: Tracker
  /** `undefined` if no mail is sent. */
  readonly mailServer: MailServer | undefined
  /** `undefined` if files are not scanned for viruses. */
  readonly virusScanner: VirusScanner | undefined
  /** What waits for the virus scanner. The background work updates it. */
  readonly fileScanStatus: FileScanStatus
  /** Checks the tracker, the object storage, the mail server, and the virus scanner, whose outage makes no process unready. */
  readonly dependencyCheck: DependencyCheck
  readonly feedbackQueue: Queue<FeedbackJob>
  readonly filingTiming: FilingTiming
  readonly sessions: Sessions
  /** Encrypts secrets that are stored. */
  readonly keyring: Keyring
  readonly identify: Identify
  /** Who filters, and whose day "today" is. */
  readonly filterCaller: FilterCallers
  /** Checks permissions. Every route's own action has been checked before its handler runs. */
  readonly authorize: Authorize
  /** Ended sessions, API keys, and users' roles. */
  readonly access: AccessState
  /** When and from where sessions and API keys were used. */
  readonly uses: CredentialUses
  /** Stores what `uses` has collected. */
  flushUses(): Promise<void>
  /** `undefined` if none is configured. */
  readonly identityProvider: IdentityProvider | undefined
  readonly limits: RateLimits
  /** All open event streams, which share their limits. */
  readonly eventStreams: EventStreams
  readonly metrics: Metrics
  /** The folder of the built web app, or `undefined` if it has not been built. */
  readonly webFolder: string | undefined
  /** Closes all connections. */
  close(): Promise<void>
}

/** The disks of this machine that the service writes to; `undefined`: PostgreSQL or S3 stores it elsewhere. */
export type Disks = Readonly<Record<'database' | 'objects', FreeSpace | undefined>>

export type ContextParts = Pick<
  Context,
  'log' | 'filingTiming' | 'webFolder' | 'disks' | 'uploads' | 'embedder' | 'limits'
> & {
  database: Database
  objects: Objects
}

/**
 * Opens the database and the stores without starting any work.
 * @throws DataFolderInUse if another process has the embedded database open
 * @throws DiskFull if its disk has too little space to open it
 */
export async function createContext(config: Config, overrides: Partial<ContextParts> = {}): Promise<Context> {
  const log = overrides.log ?? (await createLogger(config))
  const disks = overrides.disks ?? disksOf(config)
  const database = overrides.database ?? (await openDatabaseWithSpace(config, disks.database))
  const secrets = await sessionSecrets(config)
  const sessions = createSessions(secrets)
  const limits = overrides.limits ?? (await createRateLimits(config, log))
  const { identityProvider, gateway, sessionIdleMs } = config.authentication
  const access = new AccessState((since) => readAccessChanges(database.probe, since))
  const uses = new CredentialUses()
  const embedder = overrides.embedder ?? openEmbedder(config.embeddings, log)
  const writes = new DatabaseWrites(database.probe)
  const queues = openQueues(database.source, log, { timeouts: config.databaseTimeouts, writes })
  const store = overrides.objects ?? (await openObjects(config, disks.objects, profileKey(newId('cmp'))))
  const tracker = createTracker(config)
  const mailServer = await openMailServer(config)
  const virusScanner = config.virusScan && new VirusScanner(config.virusScan)
  const fileScanStatus: FileScanStatus = { waiting: 0 }
  const audit = new AuditLog(database.background, log)
  const refusedDeletions: RefusedDeletions = { records: 0, reason: undefined }
  const backupStatus: BackupStatus = { lastAt: undefined, warning: undefined }
  return {
    config,
    log,
    db: database.db,
    longDb: database.long,
    longBatchLength: database.longBatchLength,
    maxBatchMs: database.maxBatchMs,
    backgroundDb: database.background,
    probeDb: database.probe,
    writes,
    audit,
    objects: cachingObjects(store),
    backupStatus,
    schemaRefusal: { reason: undefined },
    refusedDeletions,
    disks,
    uploads: overrides.uploads ?? openUploads(config),
    companyLists: new ListCaches(),
    customFields: new CustomFields(database.probe),
    indexes: openIndexes(database.db, config.embeddings, embedder),
    embedder,
    bulkQueues: openBulkQueues(queues),
    tracker,
    mailServer,
    virusScanner,
    fileScanStatus,
    dependencyCheck: combineChecks(
      createDependencyCheck({ name: 'tracker', check: tracker.check }, log),
      createDependencyCheck({ name: 'object storage', check: async (signal) => store.check?.(signal) }, log),
      createDependencyCheck({ name: 'mail', check: async () => mailServer?.check() }, log),
      createDependencyCheck({ name: 'virus scan', check: async () => virusScanner?.check() }, log),
    ),
    feedbackQueue: queues.queue(FEEDBACK_QUEUE, { maxRetryDelaySeconds: MAX_RETRY_DELAY_SECONDS }),
    filingTiming: overrides.filingTiming ?? FILING_TIMING,
    sessions,
    keyring: createKeyring(config.encryption, secrets),
    identify: createIdentify({
      ...{ config, sessions, access, gateway: gateway && createGateway(gateway) },
      requireRecentUse: requireRecentUse(sessionIdleMs, (id) => readLastSeen(database.db, id)),
    }),
    filterCaller: filterCallers(database.db, config.timeZone),
    authorize: createAuthorize(config),
    access,
    uses,
    flushUses: () =>
      uses.flush(async ({ sessions, keys, ends }) => {
        const isKept = ({ user_email }: { user_email: string }) => !access.isErased(user_email)
        for (const end of ends.filter(isKept)) await endSession(database.background, end)
        await recordSessionUses(database.background, sessions.filter(isKept))
        await recordKeyUses(database.background, keys)
      }),
    identityProvider: identityProvider && createIdentityProvider(identityProvider),
    limits,
    eventStreams: new EventStreams(),
    metrics: createMetrics(disks, refusedDeletions, backupStatus, fileScanStatus),
    webFolder: 'webFolder' in overrides ? overrides.webFolder : builtWebApp(),
    close: async () => {
      limits.close()
      mailServer?.close()
      await embedder?.close?.()
      await audit.close()
      await queues.stop()
      await database.close()
    },
  }
}

function disksOf({ databaseUrl, dataFolder, objects: { s3 }, freeSpace: limits }: Config): Disks {
  return {
    database: databaseUrl ? undefined : new FreeSpace('the database', dataFolder, { limits }),
    objects: s3 ? undefined : new FreeSpace('the company files', objectsFolder(dataFolder), { limits }),
  }
}

function openUploads({ dataFolder, freeSpace: limits }: Config): UploadFolder {
  const disk = new FreeSpace('the uploaded files', dataFolder, { limits })
  return new UploadFolder(path.join(dataFolder, 'uploads'), disk)
}

async function openMailServer({ mail }: Config): Promise<MailServer | undefined> {
  if (!mail) return undefined
  // Most services send no mail, and need not wait for the library at startup.
  const { MailServer } = await import('./platform/mail/mail-server.ts')
  return new MailServer(mail)
}
