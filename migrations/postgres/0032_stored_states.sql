-- SQLite stores the states of games later than their events; here they share a transaction.
SELECT 1;
