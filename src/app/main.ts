import './app.css'
import { start } from './start.tsx'

// Apart from what it starts, which the later parts of the program import too.
start()
