import './mantine.css'
import '@mantine/notifications/styles.css'
import './theme.css'
import './print.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { printInLight } from './browser/printing.ts'
import { router } from './router.tsx'
import { NotificationStrip } from './shell/notifications.tsx'
import { theme } from './theme.ts'

printInLight()

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <NotificationStrip />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
