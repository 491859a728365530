import { GlobalWorkerOptions, getDocument, type PDFDocumentLoadingTask } from 'pdfjs-dist'
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url&no-inline'
import { withUser } from '#web/api/service.ts'
import { PDF_DATA } from './pdf-data.ts'

GlobalWorkerOptions.workerSrc = workerAddress

/** Fonts, character maps, and decoders come from the app itself, each when a file needs it. */
class BundledData {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const address = PDF_DATA.get(filename)
    if (address === undefined) throw new Error(`${filename} is not part of the app.`)
    const response = await fetch(address)
    if (!response.ok) throw new Error(`${filename} could not be loaded.`)
    return new Uint8Array(await response.arrayBuffer())
  }
}

/** Larger pictures could take all memory. In pixels. */
const MAX_IMAGE_PIXELS = 64_000_000

/**
 * Opens a PDF to draw its pages on a canvas. Only the parts that are shown are loaded. No script in it runs, and its forms
 * and links do nothing (ADR 42).
 */
export const openPdf = (address: string): PDFDocumentLoadingTask =>
  getDocument({
    url: address,
    httpHeaders: withUser().headers ?? {},
    ...{ disableAutoFetch: true, disableStream: true, rangeChunkSize: 256 * 1024 },
    ...{ isEvalSupported: false, enableXfa: false, maxImageSize: MAX_IMAGE_PIXELS },
    // The fonts of this computer would make the same page look different elsewhere.
    ...{ BinaryDataFactory: BundledData, useWorkerFetch: false, useSystemFonts: false },
    // Their names, which is all that the data above needs.
    ...{ cMapUrl: '/', standardFontDataUrl: '/', wasmUrl: '/' },
    verbosity: 0,
  })
