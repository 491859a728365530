import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { sendFile, sendPage } from '#src/platform/http/replies.ts'
import { makePrivateFolder } from '#src/platform/process/private-folder.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { createBackup } from './create.ts'
import { listBackupRuns } from './list.ts'
import * as schema from './schema.ts'

const TYPE = 'application/zstd'

export const backupRoutes =
  ({ audit, backgroundDb: db, config, db: reading, disks, objects }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const folder = path.join(config.dataFolder, 'uploads')
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
        // A client that reads slowly must not keep the snapshot open: in an embedded database, all others wait for it.
        makePrivateFolder(folder)
        const name = path.join(folder, `${randomUUID()}.backup`)
        try {
          const source = { db, objects, settings: config.shownSettings }
          const output = createWriteStream(name, { mode: 0o600 })
          const { rows, files, seconds } = await createBackup(source, output)
          const total = Object.values(rows).reduce((sum, n) => sum + n, 0)
          audit.record(request, { event: 'backup_created', details: { rows: total, files, seconds } })
          const file = await open(name)
          return sendFile(reply, fileName(new Date()), file.createReadStream(), TYPE)
        } finally {
          // What is open can still be read.
          await rm(name, { force: true })
        }
      },
    })
    done()
  }

const fileName = (time: Date) => `deal-pipeline-${time.toISOString().slice(0, 16).replace(':', '')}.backup`
