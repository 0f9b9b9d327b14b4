import './app.css'
import { start } from './start.tsx'

// The entry point is a file of its own, because lazy chunks import the modules that it starts.
start()
