-- Nothing changes here: on PostgreSQL the functions behind row-level security become quicker, and numbers go together.
SELECT 1;
