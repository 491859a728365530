/** Styles that failed to load before the app ran report nothing. The app without styles is still better than no app. */
const MAX_WAIT_MS = 5000

/** Applies the styles that the page loads beside the app, once they are loaded. The app then appears with them. */
export async function applyStyles(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel=stylesheet][media="not all"]')
  if (!link) return
  if (!link.sheet)
    await new Promise((resolve) => {
      link.onload = resolve
      link.onerror = resolve
      setTimeout(resolve, MAX_WAIT_MS)
    })
  link.media = 'all'
}
