import { Alert, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/files.ts'
import { developmentUser } from '#web/api/development-user.ts'
import { withUser } from '#web/api/service.ts'
import classes from './preview.module.css'

/** A picture. It is fetched as an image, in which nothing runs. */
export default function ImagePreview({ address, name }: { address: string; name: string }) {
  const [isBroken, setBroken] = useState(false)
  // A user who was chosen in development is known only to requests with a header.
  const needsHeader = developmentUser() !== null
  const fetched = useQuery({
    queryKey: ['files', 'image', address],
    queryFn: ({ signal }) => fetchAsData(address, signal),
    enabled: needsHeader,
    retry: false,
    gcTime: 0,
  })
  const source = needsHeader ? fetched.data : address
  if (isBroken || fetched.isError) return <Alert color="orange">{strings.imageFailed}</Alert>
  if (source === undefined) return <Skeleton height={320} />
  return (
    <div className={classes.frame}>
      <img src={source} alt={name} className={classes.image} onError={() => setBroken(true)} />
    </div>
  )
}

async function fetchAsData(address: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(address, { ...withUser(), signal })
  if (!response.ok) throw new Error(response.statusText)
  const image = await response.blob()
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('The image could not be read.'))
    reader.readAsDataURL(image)
  })
}
