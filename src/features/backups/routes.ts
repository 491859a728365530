import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { sendFile, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { withBackupFile, workplaceOf } from './create.ts'
import { rowsIn } from './manifest.ts'
import { listBackupRuns } from './scheduled.ts'
import * as schema from './schema.ts'

/** In a busy process, each read waits for its turn. */
const READ_BYTES = 256 * 1024
const TYPE = 'application/zstd'

export const backupRoutes =
  ({ audit, backgroundDb: db, config, db: reading, disks, objects }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const workplace = workplaceOf(config)
    app.route({
      ...schema.listBackups,
      handler: async ({ query }, reply) => {
        const page = pageOf(query)
        return sendPage(reply, page, await listBackupRuns(reading, page))
      },
    })
    app.route({
      ...schema.getBackup,
      handler: async (request, reply) => {
        if (request.method === 'HEAD') return sendFile(reply, fileName(new Date()), Readable.from([]), TYPE)
        disks.database?.check()
        const source = { db, objects, settings: config.shownSettings }
        return withBackupFile(source, workplace, undefined, async (name, manifest) => {
          const { files, seconds } = manifest
          const details = { rows: rowsIn(manifest), files, seconds }
          audit.record(request, { event: 'backup_created', details })
          // What is open can be read after the file was removed.
          const file = await open(name)
          return sendFile(
            reply,
            fileName(new Date()),
            file.createReadStream({ highWaterMark: READ_BYTES }),
            TYPE,
          )
        })
      },
    })
    done()
  }

const fileName = (time: Date) => `deal-pipeline-${time.toISOString().slice(0, 16).replace(':', '')}.backup`
