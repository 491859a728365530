import { Skeleton } from '@mantine/core'
import { type PDFDocumentProxy, type PDFPageProxy, type RenderTask, TextLayer } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import { strings } from '#strings/files.ts'
import { findMatches } from '#web/format/folded-text.ts'
import classes from './preview.module.css'
import type { Zoom } from './preview-bar.tsx'

/** Browsers draw nothing on a larger canvas. In pixels. */
const MAX_CANVAS_PIXELS = 16_000_000
const DOUBLE = 2

interface PdfPageProps {
  pdf: PDFDocumentProxy
  number: number
  zoom: Zoom
  /** Marked in the text. */
  words: readonly string[]
  onError: (error: unknown) => void
}

/** One page: its picture on a canvas, and over it its text, which can be selected. */
export function PdfPage({ pdf, number, zoom, words, onError }: PdfPageProps) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<{ width: number; height: number } | null>(null)
  const [isDrawn, setDrawn] = useState(false)
  const fail = useRef(onError)
  fail.current = onError
  const marked = words.join(' ')

  useEffect(() => {
    if (!frame.current) return
    const measure = () => {
      // Without the border of the page.
      const width = (frame.current?.clientWidth ?? 0) - 2
      if (width > 0) setRoom({ width, height: Math.max(320, window.innerHeight - 180) })
    }
    const size = new ResizeObserver(measure)
    size.observe(frame.current)
    return () => size.disconnect()
  }, [])

  useEffect(() => {
    if (!room) return
    let isLeft = false
    let task: RenderTask | undefined
    let layer: TextLayer | undefined
    const draw = async () => {
      setDrawn(false)
      const page = await pdf.getPage(number)
      if (isLeft || !canvas.current || !text.current) return
      const viewport = page.getViewport({ scale: scaleOf(page, room, zoom) })
      task = drawOn(canvas.current, page, viewport)
      layer = new TextLayer({
        textContentSource: page.streamTextContent(),
        container: text.current,
        viewport,
      })
      text.current.replaceChildren()
      text.current.style.setProperty('--total-scale-factor', String(viewport.scale))
      await Promise.all([task.promise, layer.render()])
      if (isLeft) return
      mark(layer.textDivs, marked)
      setDrawn(true)
    }
    draw().catch((error: unknown) => {
      if (!isLeft) fail.current(error)
    })
    return () => {
      isLeft = true
      task?.cancel()
      layer?.cancel()
    }
  }, [pdf, number, room, zoom, marked])

  return (
    <div ref={frame} className={classes.frame} data-drawn={isDrawn || undefined}>
      {!room && <Skeleton height={480} />}
      <div className={classes.page} dir="ltr">
        <canvas ref={canvas} role="img" aria-label={strings.pageOf(number, pdf.numPages)} />
        <div ref={text} className={`${classes.textLayer} textLayer`} />
      </div>
    </div>
  )
}

function scaleOf(page: PDFPageProxy, room: { width: number; height: number }, zoom: Zoom): number {
  const { width, height } = page.getViewport({ scale: 1 })
  if (zoom === 'page') return Math.min(room.width / width, room.height / height)
  return (room.width / width) * (zoom === 'large' ? DOUBLE : 1)
}

/** Draws as sharply as the screen shows, on a white page: paper is white in the dark, too. */
function drawOn(
  canvas: HTMLCanvasElement,
  page: PDFPageProxy,
  viewport: ReturnType<PDFPageProxy['getViewport']>,
): RenderTask {
  const area = viewport.width * viewport.height
  const ratio = Math.min(window.devicePixelRatio || 1, Math.sqrt(MAX_CANVAS_PIXELS / area))
  canvas.width = Math.max(1, Math.floor(viewport.width * ratio))
  canvas.height = Math.max(1, Math.floor(viewport.height * ratio))
  canvas.style.width = `${viewport.width}px`
  canvas.style.height = `${viewport.height}px`
  return page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0], background: '#fff' })
}

function mark(pieces: readonly HTMLElement[], words: string): void {
  if (words === '') return
  for (const piece of pieces) {
    const found = findMatches(piece.textContent ?? '', words.split(' '))
    if (!found.some(({ isMatch }) => isMatch)) continue
    piece.replaceChildren(
      ...found.map(({ text, isMatch }) => {
        if (!isMatch) return document.createTextNode(text)
        const marked = document.createElement('mark')
        marked.textContent = text
        return marked
      }),
    )
  }
  pieces.find((piece) => piece.querySelector('mark'))?.scrollIntoView({ block: 'nearest' })
}
