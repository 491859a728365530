/** The addresses of the files that PDFs need, by their names. */
export const PDF_DATA: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...import.meta.glob<string>('../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
      exhaustive: true,
    }),
    ...import.meta.glob<string>('../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
      exhaustive: true,
    }),
    ...import.meta.glob<string>('../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm', {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
      exhaustive: true,
    }),
  }).map(([path, address]) => [path.slice(path.lastIndexOf('/') + 1), address]),
)
