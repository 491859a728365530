import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { UploadProgress } from '#web/api/upload-fetch.ts'
import { useShowImported } from '#web/columns/imported-fields.ts'
import { hasChanges } from '../components/report/report.ts'
import { sendImport } from '../send-import.ts'
import { formFields, type ImportSettings } from '../settings.ts'

export const MAX_FILE_NAME_LENGTH = 255

/** Imports a file. Leaving the page stops the import only while the file is being uploaded. */
export function useImport(file: File) {
  const queryClient = useQueryClient()
  const { share, hasArrived, start, onProgress } = useUpload()
  const showImported = useShowImported()
  const running = useRef<AbortController | null>(null)
  useEffect(
    () => () => {
      if (!hasArrived.current) running.current?.abort()
    },
    [hasArrived],
  )
  const importing = useMutation({
    meta: { handlesErrors: true },
    mutationFn: (settings: ImportSettings) => {
      const controller = new AbortController()
      running.current = controller
      start()
      return sendImport(file, settings.holds, formFields(settings), { signal: controller.signal, onProgress })
    },
    onSuccess: (report, { holds }) =>
      holds === 'company' && hasChanges(report) && showImported(Object.keys(report.columns)),
    onError: () => queryClient.invalidateQueries({ queryKey: ['import-check'] }),
    onSettled: () => {
      // An interrupted import has saved rows too.
      for (const resource of [
        'companies',
        'people',
        'notes',
        'deals',
        'stats',
        'activity',
        'imports',
        'fields',
        'tags',
      ])
        queryClient.invalidateQueries({ queryKey: [resource] })
    },
  })
  return {
    importing,
    share,
    stop: () => running.current?.abort(),
    isStopped: importing.isError && running.current?.signal.aborted === true,
    hasArrived: hasArrived.current,
  }
}

/** How much of a file has been uploaded, and whether all of it had arrived when the client sent it again. */
function useUpload() {
  const [share, setShare] = useState(0)
  const hasArrived = useRef(false)
  return {
    share,
    hasArrived,
    start: () => {
      hasArrived.current = false
      setShare(0)
    },
    onProgress: ({ sent, total }: UploadProgress) => {
      const uploaded = total > 0 ? sent / total : 0
      if (uploaded >= 1) hasArrived.current = true
      setShare(uploaded)
    },
  }
}
