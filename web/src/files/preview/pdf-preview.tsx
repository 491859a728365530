import { Skeleton } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { type ReactNode, useEffect, useState } from 'react'
import { strings } from '#strings/files.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { openPdf } from './pdf-document.ts'
import { PdfPage } from './pdf-page.tsx'
import { PreviewBar, type Zoom } from './preview-bar.tsx'

interface PdfPreviewProps {
  /** The address of the content. */
  address: string
  page: number
  goTo: (page: number) => void
  /** Why it may not open, if that is known. */
  reason: string | null
  /** Marked on the page. */
  words: readonly string[]
  /** In the bar above the page. */
  children?: ReactNode
}

/** The pages of a PDF, one at a time, drawn on a canvas. */
export default function PdfPreview({ address, page, goTo, reason, words, children }: PdfPreviewProps) {
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [zoom, choose] = useState<Zoom>('width')
  useEffect(() => {
    setPdf(null)
    setError(null)
    let isLeft = false
    const task = openPdf(address)
    task.promise.then(
      (opened) => !isLeft && setPdf(opened),
      (reason: unknown) => !isLeft && setError(reason),
    )
    return () => {
      isLeft = true
      task.destroy()
    }
  }, [address])
  if (error)
    return (
      <EmptyState icon={<IconFileOff aria-hidden />} title={strings.previewFailed}>
        {reason} {strings.previewFailedHelp}
      </EmptyState>
    )
  if (!pdf) return <Skeleton height={480} role="status" aria-label={strings.preview} />
  const shown = Math.min(page, pdf.numPages)
  return (
    <>
      <PreviewBar page={shown} pages={pdf.numPages} goTo={goTo} zoom={{ value: zoom, choose }}>
        {children}
      </PreviewBar>
      <PdfPage pdf={pdf} number={shown} zoom={zoom} words={words} onError={setError} />
    </>
  )
}
