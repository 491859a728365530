import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { service } from '#web/service/service.ts'
import { uploadFetch } from '#web/service/upload-fetch.ts'
import type { Mapping } from './mapping.ts'
import { importQuery } from './use-dry-run.ts'

/** Imports a file. The service writes while it reads, so what has been sent is how far the import is. */
export function useImport(file: File) {
  const queryClient = useQueryClient()
  const [share, setShare] = useState(0)
  const stopping = useRef<AbortController | null>(null)
  useEffect(() => () => stopping.current?.abort(), [])
  const importing = useMutation({
    meta: { handlesErrors: true },
    mutationFn: async (mapping: Mapping) => {
      const controller = new AbortController()
      stopping.current = controller
      setShare(0)
      const fetch = uploadFetch(({ sent, total }) => setShare(total > 0 ? sent / total : 0))
      const input = { querystring: importQuery(mapping), body: file }
      return (await service.importCompanies(input, { signal: controller.signal, fetch })).data
    },
    onError: () => queryClient.invalidateQueries({ queryKey: ['import-check'] }),
    onSettled: () => {
      // One that broke off has written something too.
      for (const resource of ['companies', 'stats', 'activity'])
        queryClient.invalidateQueries({ queryKey: [resource] })
    },
  })
  return {
    importing,
    share,
    stop: () => stopping.current?.abort(),
    isStopped: importing.isError && stopping.current?.signal.aborted === true,
  }
}
