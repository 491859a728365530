/** Applies the styles that the page loads beside the app, once they are loaded. The app then appears with them. */
export async function applyStyles(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel=stylesheet][media="not all"]')
  if (!link) return
  if (!link.sheet)
    await new Promise((resolve) => {
      link.onload = resolve
      // Without styles, the app is still better than none.
      link.onerror = resolve
    })
  link.media = 'all'
}
