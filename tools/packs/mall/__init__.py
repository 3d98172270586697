"""The mall guide: a sample business backend (`backend/`), its goods and floor plan (`data/`) and the tenant's
configuration (`tenant.json`). The backend is a service of its own and shares no code with the platform."""
