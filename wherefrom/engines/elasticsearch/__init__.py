"""The Elasticsearch engine, for collections that outgrow one machine. Only this package imports the client, lazily."""
