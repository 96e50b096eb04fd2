<?php

header('Content-Type: application/json');
header('Access-Control-Allow-Origin: *');

$input = json_decode(file_get_contents('php://input'), true);

if (!isset($input['species']) || empty($input['species'])) {
    http_response_code(400);
    echo json_encode(['success' => false, 'message' => 'Missing species']);
    exit();
}

$sighting = new Sighting($db);
$sighting->species = htmlspecialchars(strip_tags($input['species']));

if ($sighting->create()) {
    echo json_encode(['success' => true]);
} else {
    http_response_code(500);
    echo json_encode(['success' => false, 'message' => 'Could not save sighting']);
}
