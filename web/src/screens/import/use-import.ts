import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { service } from '#web/service/service.ts'
import { uploadFetch } from '#web/service/upload-fetch.ts'
import type { Mapping } from './mapping.ts'
import { importQuery } from './use-dry-run.ts'

/** Imports a file. The service saves rows while it reads, so the upload progress is the import progress. */
export function useImport(file: File) {
  const queryClient = useQueryClient()
  const [share, setShare] = useState(0)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const importing = useMutation({
    meta: { handlesErrors: true },
    mutationFn: async (mapping: Mapping) => {
      const controller = new AbortController()
      running.current = controller
      setShare(0)
      const fetch = uploadFetch(({ sent, total }) => setShare(total > 0 ? sent / total : 0))
      const input = {
        querystring: { ...importQuery(mapping), file_name: file.name.slice(0, 255) },
        body: file,
      }
      return (await service.importCompanies(input, { signal: controller.signal, fetch })).data
    },
    onError: () => queryClient.invalidateQueries({ queryKey: ['import-check'] }),
    onSettled: () => {
      // An interrupted import has saved rows too.
      for (const resource of ['companies', 'stats', 'activity', 'imports', 'fields', 'tags'])
        queryClient.invalidateQueries({ queryKey: [resource] })
    },
  })
  return {
    importing,
    share,
    stop: () => running.current?.abort(),
    isStopped: importing.isError && running.current?.signal.aborted === true,
  }
}
