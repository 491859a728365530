import { useEffect, useState } from 'react'

export type BrowserPermission = NotificationPermission | 'unsupported'

const read = (): BrowserPermission =>
  'Notification' in window && isSecureContext ? Notification.permission : 'unsupported'

/** The notification permission of this site, kept up to date, and a function that asks for it. */
export function useBrowserPermission(): [BrowserPermission, ask: () => Promise<BrowserPermission>] {
  const [permission, setPermission] = useState(read)
  useEffect(() => {
    const update = () => setPermission(read())
    addEventListener('focus', update)
    return () => removeEventListener('focus', update)
  }, [])
  const ask = async () => {
    await Notification.requestPermission()
    const result = read()
    setPermission(result)
    return result
  }
  return [permission, ask]
}
